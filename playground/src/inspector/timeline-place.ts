/** Where the timeline is: nowhere, in the connection panel in place of the log, or in a drawer below the chat. */
export type TimelinePlace = 'none' | 'side' | 'below'
