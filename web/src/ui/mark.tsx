/** The brand: a seam with its stitches. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 20 20" aria-hidden="true" fill="none" stroke="currentColor" strokeLinecap="round">
      <path d="M10 1v4M10 8v4M10 15v4" strokeWidth="2.4" />
      <path d="M3 4.5h4M3 10h4M3 15.5h4M13 4.5h4M13 10h4M13 15.5h4" strokeWidth="1.6" opacity=".55" />
    </svg>
  );
}
