import { htmlBlockEnd } from './block/html-block.ts'
import { readAllNames } from './inline/all-entities.ts'
import { addRareSyntax } from './inline/rare-syntax.ts'
import { scanHtml } from './inline/scan-html.ts'

/** Makes the parser read all syntax. */
export function addAllSyntax(): void {
  addRareSyntax({ readNames: readAllNames, scanHtml, htmlBlockEnd })
}
