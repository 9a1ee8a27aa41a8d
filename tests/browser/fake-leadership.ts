import {Observable} from 'rxjs'
import type {LeadershipFact} from '#domain/leadership.ts'
import type {Leadership} from '#browser/leadership.ts'

/** The lines of one browser: who came first holds the name until it leaves. */
export function createQueues(): Leadership {
  const queues = new Map<string, {next: (fact: LeadershipFact) => void}[]>()
  return (name) =>
    new Observable((subscriber) => {
      const queue = queues.get(name) ?? []
      queues.set(name, queue)
      queue.push(subscriber)
      subscriber.next({type: queue[0] === subscriber ? 'leader.won' : 'leader.lost'})
      return () => {
        const wasFirst = queue[0] === subscriber
        queue.splice(queue.indexOf(subscriber), 1)
        if (wasFirst) queue[0]?.next({type: 'leader.won'})
      }
    })
}
