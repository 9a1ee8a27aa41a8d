/** After three login redirects within a minute, the app shows a message instead of a fourth (security R11). */
const loginLoop = {redirects: 3, window: 60_000} as const

/** Redirect times (unix ms) within the window at `now`. */
export const recentRedirects = (times: readonly number[], now: number) =>
  times.filter((time) => time <= now && now - time < loginLoop.window)

export const isLoginLoop = (times: readonly number[], now: number) =>
  recentRedirects(times, now).length >= loginLoop.redirects
