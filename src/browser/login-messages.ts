import {filter, fromEvent, map, type Observable} from 'rxjs'
import {loginMessage, type LoginMessage} from '#contract/login-message.ts'

export type LoginFrame = {
  /** The exact origin of the auth service. */
  origin: string
  /** The frame's current window; the frame may have navigated or be gone. */
  source: () => MessageEventSource | null | undefined
  /** Set if the auth service is ours: it returns the transaction's `state`. */
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
 * Messages of the embedded login page (spec §7): `login` with tokens, `show_qr` with a link. Cold: subscribing listens,
 * unsubscribing stops. Drops messages of another origin, window, shape or login attempt (security R14).
 */
export const loginMessages$ = (frame: LoginFrame, target: Window = window): Observable<LoginMessage> =>
  fromEvent<MessageEvent>(target, 'message').pipe(
    map((event) => readMessage(event, frame)),
    filter((message) => message !== undefined),
  )
