export { arabic } from './strings/arabic.ts'
export { chinese } from './strings/chinese.ts'
export { english } from './strings/english.ts'
export { german } from './strings/german.ts'
