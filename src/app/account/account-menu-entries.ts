import {waitFor} from 'xstate'
import {accountEntries} from '#features/shell/account-entries.tsx'
import type {AccountEntries} from '#features/shell/account-menu.tsx'
import type {AppActor} from '#machines/app/app.machine.ts'
import {selectIsEditor, type SiteAccessSnapshot} from '#machines/site-access/site-access.machine.ts'
import {actorOf} from '../actors.context.tsx'
import type {AppInfo} from '../app-info.tsx'
import {openLayer} from '../shell/open-layer.ts'
import {signOut} from './leave-guard.ts'
import {lookAtSiteAccess} from './site-access.ts'

const isDecided = (snapshot: SiteAccessSnapshot) => !snapshot.hasTag('undecided')

/** The entries of a menu that is about to open. The first time it waits a moment for the server's word on the site. */
export async function loadAccountEntries(
  root: AppActor,
  {services, bulk}: Pick<AppInfo, 'services' | 'bulk'>,
): Promise<AccountEntries> {
  const access = lookAtSiteAccess(root, services)
  const isEditor = access !== undefined && selectIsEditor(await waitFor(access, isDecided))
  const auth = () => actorOf(root, 'auth')
  const actions = {
    onPalette: () => openLayer.set('palette'),
    onSettings: () => openLayer.set('general'),
    onSignIn: () => auth()?.send({type: 'login.request'}),
    onSignOut: () => void signOut(root, bulk),
  }
  return (text, account) => accountEntries(text, {...account, ...actions, isEditor})
}
