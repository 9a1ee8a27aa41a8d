import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import {toFailure} from '#domain/failure.ts'
import type {Log} from '#domain/log.ts'
import type {Root} from './root.ts'

/**
 * Reads the site and the user again, if the page could not read them as it opened, once there is a network or a
 * server. Until then both stay as they are. The list of conversations, whose chart hears of a network itself, is read
 * again here where no server answered.
 *
 * The user is read here and not by the chart of `auth`: there this would be a second region of `signedIn`, in the part
 * of the page that loads first, for a read whose failure changes nothing.
 */
export function retryFirstReads({actors, services}: Pick<Root, 'actors' | 'services'>, log: Log): void {
  const environment = actors.environment()
  const readUser = async () => {
    const user = await services.management.users.me()
    actors.auth()?.send({type: 'user.changed', user})
  }
  const look = () => {
    if (!selectIsOnline(environment.getSnapshot())) return
    const [site, auth] = [actors.site(), actors.auth()?.getSnapshot()]
    if (site?.getSnapshot().matches('failed') === true) site.send({type: 'site.load'})
    if (auth?.hasTag('authenticated') === true && auth.context.failure !== undefined)
      readUser().catch((error: unknown) => log('The user is that of the copy still', {...toFailure(error)}))
  }
  environment.on('connection.restored', look)
  // a server that could not be reached, though there was a network
  environment.on('page.shown', () => {
    look()
    const list = actors.conversations()
    if (list?.getSnapshot().context.failure?.lost === true) list.send({type: 'conversations.refresh'})
  })
  look()
}
