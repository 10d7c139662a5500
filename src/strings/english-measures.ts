import { measuresOf } from './measures.ts'

export const { number, percent, time, seconds, size, plural } = measuresOf('en', {
  second: '# s',
  minute: '# min',
  byte: '# B',
  kilobyte: '# kB',
  megabyte: '# MB',
})
