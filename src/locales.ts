export { english } from './components/locales/english.ts'
