/**
 * The failure of a call without an answer before its deadline (domain/failure: kind `timeout`, its effect is unknown).
 */
export const timeout = {error: {name: 'TimeoutError', message: 'The server did not answer in time.'}}
