/** Types that come, or may come, before there is a session. */
const BEFORE_SESSION = new Set(['session.hello', 'session.error'])

/** Types that are about one job, which their envelope names. */
const ABOUT_JOB = new Set(['job.cancel', 'job.cancelled', 'job.event', 'job.result', 'job.error'])

/** Types that are counted by `event_seq`. */
const COUNTED = new Set(['job.event', 'job.result', 'job.error'])

/** Whether a message of this type must name its session. */
export const needsSession = (type: string): boolean => !BEFORE_SESSION.has(type)

/** Whether a message of this type must name its job. */
export const needsJob = (type: string): boolean => ABOUT_JOB.has(type)

/** Whether a message of this type must have a number. */
export const needsSequence = (type: string): boolean => COUNTED.has(type)

/** Whether a type or a kind is that of an extension. */
export const isVendorName = (name: string): boolean => /^x-vendor(\.[\w-]+)+$/.test(name)
