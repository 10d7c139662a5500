// npm run test:generators [-- --count 10000 --seed 1 --only "part of a name"]: takes one mending after the other back, in a copy of
// the sources, and counts the schedules until the generator finds it by itself.
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { breakGuard, mutants, ROOT } from './broken-guards.js'
import { loadModule } from './load-module.js'

const COPIED = ['src', 'test', 'package.json', 'tsconfig.json']
/** Where the generator of each suite is, and the most schedules it plays: outages take seconds of real time. */
const SUITES = {
  faults: { module: 'test/faults/property/run-schedules.ts', most: Infinity },
  consent: { module: 'test/faults/consent/run-consent-schedules.ts', most: Infinity },
  tabs: { module: 'test/storage/model/run-tab-schedules.ts', most: Infinity },
  outages: { module: 'test/server/outages/run-outages.ts', most: 50 },
}

/** Names in scripts/mutants.json; joined by « + » where several guards hold one mending, and each alone would hold it. */
const MENDINGS = {
  tabs: [
    'tabs: an acknowledged call leaves the stall detector running',
    'tabs: a call that is in the state is performed again',
    'tabs: the change of a leader carries no term',
    'tabs: a leader whose write was refused leads on',
    'tabs: an acknowledged call is not sent again to the next leader',
    'tabs: ids of calls are not stored with the state',
    'tabs: a call is done before it is saved',
    'tabs: queued messages are not among the unsaved',
    'tabs: two sign-ins are in one group',
    'tabs: what was said before the disk opened stays behind',
    'tabs: what a hidden chat could not write is dropped once another leader wrote',
    'a failed write is not tried again',
    'consent: a follower forgets how prompts have ended',
  ],
  faults: [
    'an empty budget shortens Retry-After',
    'resume() does not wait for Retry-After',
    'a takeover forgets Retry-After',
    'a run that is asked for twice makes two requests',
    'a run that a subscriber ended is requested all the same',
    'who waits for a run that has ended waits for ever',
    'a disposed chat sends',
    'disconnect() in a callback loses the rest of the chunk',
  ],
  consent: [
    'consent: a run whose connection has failed counts as cancelled',
    "consent: a run that ended without its agent's end counts as cancelled",
    'consent: a cancel is confirmed while the agent still works',
    'consent: a login page accepts an answer',
    'consent: any JSON accepts an answer',
    'consent: a prompt of an earlier run has no handle',
    'consent: the end of a run withdraws an answer on its way',
    'consent: a follower forgets how prompts have ended',
    'consent: a stop inside edit() is about the run before',
    'consent: a prompt of a run that cannot be resumed stays unconfirmed',
    'consent: another reply takes back the announced commands',
    'consent: a cancel of a job is confirmed while its tool works',
    'consent: a command does not follow the session of its job',
  ],
  outages: [
    'a log whose append failed is closed + a run of an agent that could not be ended is closed + a run of a proxy that could not continue is closed as whole',
  ],
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})
const [count, seed] = [Number(values.count), Number(values.seed)]
const mutantOf = new Map(mutants.map((mutant) => [mutant.name, mutant]))
let unfound = 0

console.log('| Mending taken back | Generator | Schedules until found |')
console.log('|---|---|---|')
for (const [suite, names] of Object.entries(MENDINGS)) {
  for (const name of names.filter((each) => each.includes(values.only))) {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-generators-'))
    try {
      for (const path of COPIED)
        cpSync(join(ROOT, path), join(folder, path), {
          recursive: true,
          filter: (source) => !source.includes('node_modules'),
        })
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
      for (const guard of name.split(' + ')) breakGuard(folder, mutantOf.get(guard))
      const { module, most } = SUITES[suite]
      const generator = await loadModule(join(folder, module), folder)
      const { played, failure } = await generator.module.runSchedules({
        seed,
        count: Math.min(count, most),
        shrinks: false,
      })
      await generator.close()
      if (failure === undefined) unfound += 1
      console.log(
        `| ${name} | ${suite === 'outages' ? suite : `${suite}, seed ${seed}`} | ${failure === undefined ? `not within ${played}` : played} |`,
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
process.exit(unfound === 0 ? 0 : 1)
