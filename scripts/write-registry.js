// Writes registry/<name>.json, what `npx shadcn add` installs, from registry/items.json and the sources in registry/items.
// `--print` prints them as one object, by file name.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path) => readFileSync(ROOT + path, 'utf8')

/** An item in the form of https://ui.shadcn.com/schema/registry-item.json. */
function itemOf({ name, title, description, file, type, target, sheets }) {
  return {
    $schema: 'https://ui.shadcn.com/schema/registry-item.json',
    name,
    type: 'registry:block',
    title,
    description,
    // Without a version: what is installed already stays, from a tarball too.
    dependencies: ['capstan'],
    files: [
      { path: `registry/items/${file}`, type, ...(target && { target }), content: read(`registry/items/${file}`) },
    ],
    // A sheet in a layer, so that the classes of Tailwind win over it.
    ...(sheets.length > 0 && {
      css: Object.fromEntries(sheets.map((sheet) => [`@import "capstan/${sheet}" layer(components)`, {}])),
    }),
  }
}

const files = Object.fromEntries(
  JSON.parse(read('registry/items.json')).map((item) => [
    `${item.name}.json`,
    `${JSON.stringify(itemOf(item), null, 2)}\n`,
  ]),
)
if (process.argv.includes('--print')) process.stdout.write(JSON.stringify(files))
else for (const [name, text] of Object.entries(files)) writeFileSync(`${ROOT}registry/${name}`, text)
