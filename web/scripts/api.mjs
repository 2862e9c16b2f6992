/**
 * Writes src/api/wire.gen.ts from docs/openapi.json: a zod schema and a type for
 * everything that the server sends. Run it with `npm run api`; a test fails when
 * the file is stale.
 *
 * What a server newer than this page sends must not break it: unknown fields are
 * dropped, unknown words become "unknown", and an item of a list that cannot be
 * read is left out. The helpers in src/api/reading.ts do that.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const WIDTH = 140;
const OUTPUT = at("../src/api/wire.gen.ts");

const nameOf = (reference) => reference.split("/").at(-1);
const schemaName = (name) => `${name[0].toLowerCase()}${name.slice(1)}Schema`;
const key = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

const isNull = (one) => one.type === "null";

/** A nullable form, taken apart: `[what it is, whether it may be null]`. */
function nonNull(schema) {
  if (schema.oneOf?.some(isNull)) {
    const rest = schema.oneOf.filter((one) => !isNull(one));
    return [rest.length === 1 ? rest[0] : { ...schema, oneOf: rest }, true];
  }
  if (!Array.isArray(schema.type)) return [schema, false];
  const types = schema.type.filter((type) => type !== "null");
  return [{ ...schema, type: types.length === 1 ? types[0] : types }, schema.type.includes("null")];
}

/** A text of one word: the tag of a variant. */
const tagOf = (schema) => (schema.type === "string" && schema.enum?.length === 1 ? schema.enum[0] : undefined);
const tagName = (variant) => Object.entries(variant.properties ?? {}).find(([, it]) => tagOf(it))?.[0];

function value(schema) {
  if (schema.$ref) return schemaName(nameOf(schema.$ref));
  if (schema.allOf) {
    const [first, ...others] = schema.allOf;
    return others.reduce((base, one) => `z.extend(${base}, ${fields(one)})`, value(first));
  }
  if (schema.oneOf) {
    const tag = tagName(schema.oneOf[0]);
    const variants = filled("[", schema.oneOf.map((one) => `${value(one)},`), "]");
    return tag ? `z.discriminatedUnion(${JSON.stringify(tag)}, ${variants})` : `z.union(${variants})`;
  }
  if (schema.prefixItems) return `z.tuple([${schema.prefixItems.map(value).join(", ")}])`;
  if (schema.enum) return tagOf(schema) ? `z.literal(${JSON.stringify(tagOf(schema))})` : word(schema.enum);
  switch (schema.type) {
    case "string":
      return schema.pattern ? `text.check(z.regex(/${schema.pattern}/))` : "text";
    case "integer":
    case "number":
      return "z.number()";
    case "boolean":
      return "z.boolean()";
    case "array":
      return `list(${value(schema.items)})`;
    case "object":
      return schema.properties ? `z.object(${fields(schema)})` : `z.record(text, ${value(schema.additionalProperties ?? {})})`;
    default:
      return "z.unknown()";
  }
}

const word = (words) => `word(${JSON.stringify(words.filter((one) => one !== "unknown")).replaceAll(",", ", ")})`;

/** What is written for a field that is not there. */
const EMPTY = { string: '""', boolean: "false", integer: "0", number: "0" };

function field(schema, isRequired, all) {
  const [bare, nullable] = nonNull(schema);
  const read = value(bare);
  if (isRequired && !nullable) return read;
  // Of a kind that this page does not know: as if it were not there.
  if (nullable && bare.$ref && all[nameOf(bare.$ref)]?.oneOf) return `z.catch(maybe(${read}), undefined)`;
  if (nullable) return `maybe(${read})`;
  if (bare.type === "array") return `z.prefault(${read}, [])`;
  return bare.type in EMPTY && !bare.enum ? `z.prefault(${read}, ${EMPTY[bare.type]})` : `maybe(${read})`;
}

let components = {};

function fields(schema) {
  const all = Object.entries(schema.properties ?? {});
  return filled("{", all.map(([name, it]) => `${key(name)}: ${field(it, schema.required?.includes(name) ?? false, components)},`), "}");
}

/** On one line if they fit there, else on as few as possible. */
function filled(open, parts, close) {
  const whole = [open, ...parts, close].join(" ");
  if (whole.length <= 100 && !whole.includes("\n")) return whole.replace(/,( [}\]])$/, "$1");
  const lines = [];
  for (const part of parts) {
    const longer = `${lines.at(-1)} ${part}`;
    if (lines.length > 0 && longer.length <= WIDTH && !longer.includes("\n")) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return [open, ...lines.flatMap((line) => line.split("\n")).map((line) => `  ${line}`), close].join("\n");
}

/** Every schema that this one needs. */
function uses(schema) {
  if (Array.isArray(schema)) return schema.flatMap(uses);
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([name, it]) => (name === "$ref" ? [nameOf(it)] : uses(it)));
}

/** What the server sends, each behind what it is made of. */
function inOrder(document) {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const order = [];
  const visit = (name) => {
    if (order.includes(name)) return;
    for (const used of uses(components[name])) visit(used);
    order.push(name);
  };
  for (const operation of operations) {
    const answers = Object.values(operation.responses ?? {}).map((it) => (it.$ref ? document.components.responses[nameOf(it.$ref)] : it));
    for (const name of uses(answers)) visit(name);
  }
  return order;
}

/** The events: one shape for each name. */
function changes(schema) {
  const shapes = schema.oneOf.map((one) => `  ${JSON.stringify(one.title)}: ${value(one)},`);
  return `/** What each event holds. */\nexport const changeShapes = {\n${shapes.join("\n")}\n} as const;\n`;
}

/** The TypeScript of what the page sends. Null says something there, so it stays. */
function typeOf(schema) {
  if (schema.$ref) return typeOf(components[nameOf(schema.$ref)]);
  const [bare, nullable] = nonNull(schema);
  if (nullable) return `${typeOf(bare)} | null`;
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (schema.type === "array") return `(${typeOf(schema.items)})[]`;
  if (schema.type === "integer") return "number";
  if (schema.type !== "object") return schema.type ?? "unknown";
  if (!schema.properties) return `Record<string, ${typeOf(schema.additionalProperties ?? {})}>`;
  const mark = (name) => (schema.required?.includes(name) ? "" : "?");
  return filled("{", Object.entries(schema.properties).map(([name, it]) => `${key(name)}${mark(name)}: ${typeOf(it)};`), "}");
}

function requests(document) {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const names = new Set(operations.flatMap((operation) => uses(operation.requestBody ?? {})));
  return [...names].toSorted().map((name) => `export type ${name} = ${typeOf(components[name])};\n`);
}

export function generate(document) {
  components = document.components.schemas;
  const parts = inOrder(document).map((name) => {
    const schema = components[name];
    if (name === "Change") return changes(schema);
    const words = schema.description ? `/** ${schema.description.replaceAll("\n", " ").replaceAll("*/", "")} */\n` : "";
    return `${words}export const ${schemaName(name)} = ${value(schema)};\nexport type ${name} = z.output<typeof ${schemaName(name)}>;\n`;
  });
  const head = [
    "/** Written by `npm run api` from docs/openapi.json. Not to be changed by hand. */",
    'import * as z from "zod/mini";',
    'import { list, maybe, text, word } from "./reading.ts";',
  ];
  return `${head.join("\n")}\n\n${[...parts, ...requests(document)].join("\n")}`;
}

export const document = () => JSON.parse(readFileSync(at("../../docs/openapi.json"), "utf8"));

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(OUTPUT, generate(document()));
