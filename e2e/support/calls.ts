import type {BrowserContext, Page, Request} from '@playwright/test'

const isLoginPage = (request: Request) =>
  request.isNavigationRequest() && new URL(request.url()).pathname.endsWith('/auth/login')

/** Bodies of the token endpoint's calls, from now on. */
export function tokenCalls(context: BrowserContext): Record<string, unknown>[] {
  const bodies: Record<string, unknown>[] = []
  context.on('request', (request) => {
    // as: the endpoint takes JSON objects only
    if (request.url().endsWith('/oauth2/v1/token')) bodies.push(request.postDataJSON() as Record<string, unknown>)
  })
  return bodies
}

/** Addresses of the login page that the browser went to, from now on. */
export function loginVisits(page: Page): string[] {
  const addresses: string[] = []
  page.on('request', (request) => {
    if (isLoginPage(request) && request.method() === 'GET') addresses.push(request.url())
  })
  return addresses
}
