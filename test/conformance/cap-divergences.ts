/**
 * Where our schemas knowingly judge otherwise than the reference models: name of the entry, and why.
 * The test fails for an entry that disagrees and is not here, and for one that is here and agrees.
 */
export const capDivergences: Readonly<Record<string, string>> = {
  'probe-g1b-seq-1e30':
    'A seq beyond 2^53-1 cannot be compared in JavaScript, so it is a protocol error (section 3, Scalars).',
}

/** Valid events whose data hold nothing their type could show: they stay `unknown` parts (section 7, row 20). */
export const partsWithoutName: readonly string[] = [
  // Data of another type of event.
  'probe-g1-event-type-mismatched-with-data-citation-block-progress-data',
  // No data at all.
  'probe-g2-event-citation-empty-data',
  // A user error without a message of any name.
  'test-a74e9221-nested_complex_structure-PresentationEvent',
]
