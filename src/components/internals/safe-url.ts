export * from '../../base/safe-url.ts'
