class BrokenPromise extends Error {}

export function promise(kept: boolean, words: () => string): void {
  if (!kept) throw new BrokenPromise(words())
}
