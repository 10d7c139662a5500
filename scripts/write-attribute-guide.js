// npm run docs:attributes: writes the table of `data-*` attributes in docs/components.md from the tables beside the components.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { module } = await runnerImport(`${ROOT}scripts/attribute-guide.ts`, { configFile: false })

const path = ROOT + module.ATTRIBUTE_PAGE
writeFileSync(path, module.withAttributeTable(readFileSync(path, 'utf8')))
