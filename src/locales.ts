export { arabic } from './components/locales/arabic.ts'
export { chinese } from './components/locales/chinese.ts'
export { english } from './components/locales/english.ts'
export { german } from './components/locales/german.ts'
