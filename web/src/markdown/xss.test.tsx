import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { GrowingMarkdown, Markdown } from "./markdown.tsx";
import { safeHref } from "./safe.ts";

const corpus = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)></svg>",
  "<svg><animate onbegin=alert(1) attributeName=x></svg>",
  "<iframe src=javascript:alert(1)></iframe>",
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  "<body onload=alert(1)>",
  "<details open ontoggle=alert(1)>x</details>",
  "<math><mtext><script>alert(1)</script></mtext></math>",
  "<style>*{background:url(http://evil.example/)}</style>",
  '<link rel=stylesheet href="http://evil.example/x.css">',
  '<meta http-equiv=refresh content="0;url=http://evil.example">',
  "<base href=http://evil.example/>",
  "<form action=http://evil.example><input name=x></form>",
  "<object data=javascript:alert(1)></object>",
  "<embed src=javascript:alert(1)>",
  "<video><source onerror=alert(1)></video>",
  "<!-- --><script>alert(1)</script>",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
  "<scr<script>ipt>alert(1)</script>",
  "<ScRiPt>alert(1)</sCrIpT>",
  "<div id=root name=getElementById>x</div>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](java\tscript:alert(1))",
  "[x](<java\nscript:alert(1)>)",
  "[x](javascript&#58;alert(1))",
  "[x](javascript&colon;alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](\u0001javascript:alert(1))",
  "[x](\u200bjavascript:alert(1))",
  "[x](\u202ejavascript:alert(1))",
  "[x](vbscript:msgbox(1))",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "[x](file:///etc/passwd)",
  "[x](blob:http://localhost/1)",
  "[x](//evil.example)",
  "[x](/api/v1/session)",
  "[x](\\\\evil.example)",
  "[x](https:javascript:alert(1))",
  "<javascript:alert(1)>",
  "<data:text/html,x>",
  "![x](javascript:alert(1))",
  "![x](http://evil.example/pixel.png)",
  '![x](x "onerror=alert(1)")',
  '[x](http://a.example "\\" onmouseover=alert(1) x=\\"")',
  "[x]\n\n[x]: javascript:alert(1)",
  "[x]: <javascript:alert(1)>\n\n[x]",
  "[__proto__](http://a.example) [constructor]\n\n[constructor]: javascript:alert(1)",
  "# <img src=x onerror=alert(1)>",
  "> <script>alert(1)</script>",
  "- <script>alert(1)</script>\n- [x](javascript:alert(1))",
  "| <script>alert(1)</script> | [x](javascript:alert(1)) |\n| --- | --- |\n| <img src=x onerror=alert(1)> | `<b>` |",
  "```html\n<script>alert(1)</script>\n```",
  '```"onload=alert(1)\nx\n```',
  "```<script>\nx\n```",
  "`<script>alert(1)</script>`",
  "**<script>alert(1)</script>**",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&#60;script&#62;alert(1)&#60;/script&#62;",
  "&#x0;&#xD800;&#1114112;&constructor;&toString;",
  "http://a.example/<script>alert(1)</script>",
  "http://a.example/\"onmouseover=alert(1)",
  "javascript://a.example/%0aalert(1)",
  "a@b.example?subject=<script>",
  "~~<script>~~ \\<script\\>",
  "- [ ] <input onfocus=alert(1) autofocus>",
  `${"[".repeat(1500)}x`,
  `${"> ".repeat(300)}x`,
  `${"*a ".repeat(1500)}`,
  `|${"a|".repeat(400)}\n|${"-|".repeat(400)}\n|${"b|".repeat(400)}`,
  "\u0000<script>\u0000alert(1)</script>",
  "\ufeff[x](javascript:alert(1))",
];

const tags = new Set(
  "A BLOCKQUOTE BR BUTTON CODE DEL DIV EM FIGCAPTION FIGURE H3 H4 H5 H6 HR INPUT LI OL P PRE SPAN STRONG SVG PATH RECT TABLE TBODY TD TH THEAD TR UL".split(" "),
);
const attributes = new Set(
  "align aria-hidden aria-label checked class d fill height href readonly rel role rx ry scope start stroke stroke-linecap stroke-linejoin stroke-width style tabindex target title type viewbox width x xmlns y".split(
    " ",
  ),
);

function inspect(root: Element) {
  for (const element of root.querySelectorAll("*")) {
    expect(tags, element.outerHTML.slice(0, 200)).toContain(element.tagName.toUpperCase());
    for (const { name, value } of element.attributes) {
      expect(attributes, `${element.tagName} ${name}`).toContain(name.toLowerCase());
      if (name === "href") expect(value).toMatch(/^(https?:\/\/|mailto:|#)/i);
      if (name === "style") expect(value).toMatch(/^text-align: (left|center|right);$/);
      if (name === "type") expect(["checkbox", "button"]).toContain(value);
    }
    if (element.getAttribute("target") === "_blank") expect(element.getAttribute("rel")).toContain("noopener");
  }
}

test("the corpus is worth its name", () => expect(new Set(corpus).size).toBeGreaterThanOrEqual(40));

test.each(corpus)("is inert: %s", (text) => {
  inspect(render(<Markdown text={text} />).container);
});

test("half-written texts are inert too, as they grow", () => {
  const all = corpus.filter((text) => text.length < 120).join("\n\n");
  const { container, rerender } = render(<GrowingMarkdown text="" />);
  for (let end = 1; end < all.length; end += 41) {
    rerender(<GrowingMarkdown text={all.slice(0, end)} />);
    inspect(container);
  }
});

test("the inspection would find something", () => {
  const bad = document.createElement("div");
  bad.innerHTML = '<a href="javascript:alert(1)">x</a>';
  expect(() => inspect(bad)).toThrow();
  bad.innerHTML = "<img src=x>";
  expect(() => inspect(bad)).toThrow();
});

test.each([
  ["https://a.example/x", "https://a.example/x"],
  ["HTTP://a.example", "HTTP://a.example"],
  ["mailto:a@b.example", "mailto:a@b.example"],
  ["#part", "#part"],
  [" java script:alert(1)", null],
  ["ht\u200btps://a.example", "https://a.example"],
  ["relative/path", null],
  ["//evil.example", null],
])("safeHref(%j)", (href, safe) => expect(safeHref(href)).toBe(safe));
