const ULID = /(?:^|_)[0-9A-HJKMNP-TV-Z]{26}$/

/**
 * Whether a message comes after another one by their ids. Only ULIDs have an order: with other ids, and where there is no other, every
 * message is taken to be later.
 */
export function isLater(id: string, than: string | undefined): boolean {
  return than === undefined || !ULID.test(id) || !ULID.test(than) || id > than
}
