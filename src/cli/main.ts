#!/usr/bin/env node
import { runCli } from './run-cli.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

process.exitCode = await runCli(process.argv.slice(2), {
  print: (text) => void process.stdout.write(`${text}\n`),
  warn: (text) => void process.stderr.write(`${text}\n`),
  env: process.env,
  stop: stop.signal,
})
// What a runtime or a client has left to do is done: an open pipe of a closed terminal must not hold the program.
process.exit()
