import { isJsonObject } from '../base/json-object.ts'
import type { ArcpTool } from '../runtime/arcp/job/tool.ts'
import { CliFault } from './cli-io.ts'

/** The tools of the module that the user names. @throws CliFault when it has none */
export async function loadTools(file: string): Promise<Readonly<Record<string, ArcpTool>>> {
  const { pathToFileURL } = await import('node:url')
  const found: unknown = await import(/* @vite-ignore */ pathToFileURL(file).href)
  const tools = isJsonObject(found) ? found.default : undefined
  const isTool = (tool: unknown): boolean =>
    typeof tool === 'function' || (isJsonObject(tool) && typeof tool.run === 'function')
  if (!isJsonObject(tools) || !Object.values(tools).every(isTool))
    throw new CliFault(`The default export of ${file} has to be an object of tools.`)
  // Each is a function, or has one.
  return tools as Readonly<Record<string, ArcpTool>>
}
