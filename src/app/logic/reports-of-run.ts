import {Observable} from 'rxjs'

/** Emits the reports of an asynchronous run, and its end. Unsubscribing aborts the run. */
export const factsOf = <Fact>(run: (report: (fact: Fact) => void, signal: AbortSignal) => Promise<void>) =>
  new Observable<Fact>((subscriber) => {
    const leaving = new AbortController()
    run((fact) => subscriber.next(fact), leaving.signal).then(
      () => subscriber.complete(),
      (error: unknown) => subscriber.error(error),
    )
    return () => leaving.abort()
  })
