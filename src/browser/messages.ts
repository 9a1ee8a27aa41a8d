import {filter, fromEvent, map, type Observable} from 'rxjs'
import {loginMessage, type LoginMessage} from '#contract/oauth.ts'

export type LoginFrame = {
  /** Origin of the auth service, exactly. */
  origin: string
  /** The frame's window now; the frame may be navigated or gone. */
  source: () => MessageEventSource | null | undefined
  /** Set when the auth service is ours: it gives the transaction's `state` back. */
  state?: string
}

const readMessage = (event: MessageEvent, {origin, source, state}: LoginFrame): LoginMessage | undefined => {
  const frame = source()
  if (event.origin !== origin || frame == null || event.source !== frame) return undefined
  const message = loginMessage.safeParse(event.data)
  if (!message.success) return undefined
  return state === undefined || message.data.state === state ? message.data : undefined
}

/**
 * What the embedded login page says (spec §7): `login` with tokens, `show_qr` with a link. Cold: subscribing listens,
 * unsubscribing stops. A message of another origin, another window, another shape or another login attempt does not
 * exist (security R14).
 */
export const loginMessages$ = (frame: LoginFrame, target: Window = window): Observable<LoginMessage> =>
  fromEvent<MessageEvent>(target, 'message').pipe(
    map((event) => readMessage(event, frame)),
    filter((message) => message !== undefined),
  )
