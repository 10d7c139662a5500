// In place of vitest, for helpers of tests that run in a process of their own: what they end, ends with the process.

export function afterEach(): void {}

export function onTestFinished(): void {}
