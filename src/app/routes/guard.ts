import {redirect, type ParsedLocation} from '@tanstack/react-router'
import {waitFor} from 'xstate'
import {type AuthActor} from '#machines/auth/auth.machine.ts'
import type {MessagePart} from '../messages.ts'
import type {RouterContext} from './root.route.tsx'

/**
 * Lets signed-in people pass (spec §2, login-required routes). While start-up has not decided it waits; a visitor goes
 * to the login page and comes back to the address asked for.
 */
async function requireLogin({context, location}: {context: {auth: () => AuthActor}; location: ParsedLocation}) {
  const decided = await waitFor(context.auth(), (snapshot) => !snapshot.hasTag('undecided'))
  if (!decided.hasTag('authenticated')) redirect({to: '/auth/login', search: {redirect: location.href}, throw: true})
}

/** The same, with the words that only these screens show. */
export const requireLoginAndWords =
  (...parts: MessagePart[]) =>
  async (opened: {context: RouterContext; location: ParsedLocation}): Promise<void> => {
    await requireLogin(opened)
    await Promise.all(parts.map(opened.context.prepareWords))
  }
