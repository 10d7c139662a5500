// In place of vitest, for helpers of tests that run in their own process: what they end, ends with the process.

export function afterEach(): void {}

export function onTestFinished(): void {}
