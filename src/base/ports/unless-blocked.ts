/** A part of the platform; undefined where it may not be touched, as in a frame of an opaque origin, where some getters throw. */
export function unlessBlocked<Part>(read: () => Part): Part | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
