interface TaskHost {
  setImmediate?(callback: () => void): unknown
  setTimeout(callback: () => void, ms: number): unknown
}

/** Lets promises and streams that are ready go on: two turns of the event loop, and no waiting. */
export async function settle(): Promise<void> {
  const host: TaskHost = globalThis
  await turn(host)
  await turn(host)
}

function turn(host: TaskHost): Promise<void> {
  return new Promise((resolve) => {
    if (host.setImmediate === undefined) host.setTimeout(resolve, 0)
    else host.setImmediate(resolve)
  })
}
