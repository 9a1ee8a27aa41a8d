import {redirect, type ParsedLocation} from '@tanstack/react-router'
import {waitFor} from 'xstate'
import {type AuthActor} from '#machines/auth/auth.machine.ts'
import type {MessagePart} from '../locale-messages.ts'
import type {RouterContext} from './root.route.tsx'

/**
 * Admits signed-in users (spec §2, login-required routes). Waits until start-up has decided; a visitor goes to the
 * login page and returns to the requested address.
 */
async function requireLogin({context, location}: {context: {auth: () => AuthActor}; location: ParsedLocation}) {
  const decision = await waitFor(context.auth(), (snapshot) => !snapshot.hasTag('undecided'))
  if (!decision.hasTag('authenticated')) redirect({to: '/auth/login', search: {redirect: location.href}, throw: true})
}

/** The same, and loads the messages that only these screens use. */
export const requireLoginAndWords =
  (...parts: MessagePart[]) =>
  async (route: {context: RouterContext; location: ParsedLocation}): Promise<void> => {
    await requireLogin(route)
    await Promise.all(parts.map(route.context.prepareWords))
  }
