/** A proxy answers with one of these while the server behind it is away. */
const isAway = ({status}: Response) => status >= 502 && status <= 504

/** How long the network may take where this build's page is kept, in milliseconds: it may lead nowhere. */
const patience = 3_000

type KeptPages = {
  /** The page of any kept build, for the time without a network. */
  keptPage: () => Promise<Response | undefined>
  /** The page of the build of this worker alone. */
  ownPage: () => Promise<Response | undefined>
  /** Gets the network's answer, for the next time, when the page of this build was shown instead. */
  onOverdue: (answer: Promise<Response>) => void
}

/**
 * A page from the network, or the kept one where there is no network or no server behind its proxy. A network that is
 * overdue gives way to the page of this build alone: an older one would be a step back beside pages that are open.
 */
export async function answerPage(
  fetchPage: () => Promise<Response>,
  {keptPage, ownPage, onOverdue}: KeptPages,
): Promise<Response> {
  const response = fetchPage()
  const answer = orKept(response, keptPage)
  const page = await unlessSettled(answer, ownPage)
  if (page === undefined) return answer
  onOverdue(response)
  return page
}

async function orKept(response: Promise<Response>, keptPage: KeptPages['keptPage']): Promise<Response> {
  // what cannot be read is not kept
  const readKept = () => keptPage().catch(() => undefined)
  try {
    const page = await response
    return isAway(page) ? ((await readKept()) ?? page) : page
  } catch (error) {
    const page = await readKept()
    if (page === undefined) throw error
    return page
  }
}

/** This build's page once the answer is overdue; `undefined` when the answer comes before, or none is kept. */
async function unlessSettled(answer: Promise<Response>, ownPage: KeptPages['ownPage']): Promise<Response | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const overdue = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience)
  })
  const none = () => undefined
  try {
    // whether the answer is a failure, or what is kept cannot be read: the answer decides
    return await Promise.race([answer.then(none, none), overdue.then(ownPage).catch(none)])
  } finally {
    clearTimeout(timer)
  }
}
