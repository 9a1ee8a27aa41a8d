// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- an ambient module has no import of its own
/// <reference path="../../../src/app/virtual.d.ts" />
import {createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider} from '@tanstack/react-router'
import {cleanup, render} from '@testing-library/react'
import {type ReactNode} from 'react'
import {afterEach} from 'vitest'
import './patience.ts'
import {messageLoaders} from 'virtual:message-loaders'
import {LanguageProvider} from '#ui/language.tsx'

afterEach(cleanup)

export const messagesOf = async (locale: string) => (await messageLoaders[locale]?.())?.default ?? {}

/** Shows a view with messages and an address bar in memory; every address shows the same view. */
export async function renderView(view: ReactNode, {path = '/', locale = 'en'} = {}) {
  const root = createRootRoute()
  const any = createRoute({getParentRoute: () => root, path: '$', component: () => view})
  const index = createRoute({getParentRoute: () => root, path: '/', component: () => view})
  const router = createRouter({
    routeTree: root.addChildren([any, index]),
    history: createMemoryHistory({initialEntries: [path]}),
  })
  const problems: unknown[] = []
  const messages = await messagesOf(locale)
  await router.load()
  const rendered = render(
    <LanguageProvider locale={locale} messages={messages} onError={(error) => problems.push(error)}>
      {/* the registered router type is the product's; links of a view only need some router */}
      <RouterProvider router={router as never} />
    </LanguageProvider>,
  )
  return {...rendered, router, problems}
}
