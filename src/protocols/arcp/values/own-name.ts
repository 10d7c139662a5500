/** Who answers, in the answers that a client sends. */
export const OWN_NAME = 'user'
