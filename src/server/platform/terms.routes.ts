import {drawnPage, findSiteFace, readLoginView} from '../auth/login-view.ts'
import {html} from '../auth/pages/html.ts'
import {document, siteName, type PageContext} from '../auth/pages/page.ts'
import type {ServerDeps} from '../deps.ts'
import {route, type Route} from '../http/route.ts'

const paragraphs = [
  'site.termsAccount',
  'site.termsContent',
  'site.termsAnswers',
  'site.termsConduct',
  'site.termsCredits',
  'site.termsContact',
] as const

function termsPage(page: PageContext): string {
  const say = (id: string) => page.intl.formatMessage({id}, {site: siteName(page)})
  return document(page, {
    title: say('site.termsTitle'),
    body: html`<h1>${say('site.termsTitle')}</h1>
      <p class="lead">${say('site.termsIntro')}</p>
      ${paragraphs.map((id) => html`<p class="lead">${say(id)}</p>`)}`,
  })
}

/** `{platform}/terms`: what a user agrees to before their first question (contract/platform, linked pages). */
export const termsRoutes = (deps: ServerDeps): Route[] => [
  route({
    service: 'platform',
    method: 'GET',
    path: '/terms',
    policy: 'public',
    handle: async ({context}) => {
      const {page} = await readLoginView(deps, context.req.raw)
      const pageView = {...page, site: await findSiteFace(deps, page.hub, [page.hub]), target: {kind: 'none'} as const}
      return drawnPage(pageView, termsPage(pageView))
    },
  }),
]
