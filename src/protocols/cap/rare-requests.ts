import { controlBody, controlUrl, toCommandResult } from './control-request.ts'
import { writeOlderRequest } from './older-request.ts'
import { requestHealth } from './request-health.ts'

/** Requests that few pages send: commands to a run, requests in the form of an older server, and the question whether an agent is well. */
export const rareRequests = { controlBody, controlUrl, requestHealth, toCommandResult, writeOlderRequest }
