import { measuresOf } from './measures.ts'

export const { number, percent, time, seconds, size } = measuresOf('zh', {
  second: '# 秒',
  minute: '# 分钟',
  byte: '# B',
  kilobyte: '# KB',
  megabyte: '# MB',
})
