import { stdioConnection } from '../../src/wire/stdio-transport.ts'
import { canonicalRuntime } from './canonical-runtime.ts'

// A program that speaks ARCP over its standard input and output, until its input ends.
const runtime = canonicalRuntime()
await runtime.accept(stdioConnection({ input: process.stdin, output: process.stdout }))
await runtime.close()
