/** What a call that is not answered before its deadline fails with (domain/failure: kind `timeout`, nothing is known). */
export const timeout = {error: {name: 'TimeoutError', message: 'The server did not answer in time.'}}
