import { loadOnDemand } from '../support/load-on-demand.ts'

await loadOnDemand()
