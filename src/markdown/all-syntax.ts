import { leadingDefinitions } from './block/definitions.ts'
import { htmlBlockEnd } from './block/html-block.ts'
import { renewLeaves } from './block/renew-leaves.ts'
import { addRenewal } from './block/renewal.ts'
import { readAllNames } from './inline/all-entities.ts'
import { addRareSyntax } from './inline/rare-syntax.ts'
import { scanHtml } from './inline/scan-html.ts'

/** Makes the parser read all syntax. */
export function addAllSyntax(): void {
  addRenewal(renewLeaves)
  addRareSyntax({ readNames: readAllNames, scanHtml, htmlBlockEnd, leadingDefinitions })
}
