import type * as Ws from 'ws'
import { CliFault } from './cli-io.ts'

/** The package `ws`, which the program needs for sockets that Node has not. @throws CliFault when it is not installed */
export async function loadWs(): Promise<typeof Ws> {
  try {
    return await import('ws')
  } catch {
    throw new CliFault('This needs the package ws: npm install ws')
  }
}
