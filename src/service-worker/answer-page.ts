/** What a proxy answers while the server behind it is away. */
const isAway = ({status}: Response) => status >= 502 && status <= 504

/** A page from the network, or the kept one where there is no network or no server behind its proxy. */
export async function answerPage(
  fetchPage: () => Promise<Response>,
  keptPage: () => Promise<Response | undefined>,
): Promise<Response> {
  try {
    const response = await fetchPage()
    return isAway(response) ? ((await keptPage()) ?? response) : response
  } catch (error) {
    const page = await keptPage()
    if (page === undefined) throw error
    return page
  }
}
