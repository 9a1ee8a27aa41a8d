/** How a call ends. */
type Ends<Answer> = {resolve: (answer: Answer) => void; reject: (error: Error) => void}
type Waiting<Reply> = {hear: (reply: Reply) => void; reject: (error: Error) => void}

/** Calls a worker that starts with the first call and ends when it breaks; the next call starts another. */
export function createWorkerCalls<Call, Reply extends {id: number}>(name: string, start: () => Worker) {
  const waiting = new Map<number, Waiting<Reply>>()
  let worker: Worker | undefined
  let lastId = 0
  const end = (reason: string) => {
    worker?.terminate()
    worker = undefined
    for (const {reject} of waiting.values()) reject(new Error(reason))
    waiting.clear()
  }
  const open = () => {
    const newWorker = start()
    newWorker.onmessage = ({data}: MessageEvent<Reply>) => waiting.get(data.id)?.hear(data)
    newWorker.onerror = ({message}) => end(message || `The worker of the ${name} broke`)
    return newWorker
  }
  return {
    end,
    /** `hear` gets each reply to the call, until one of them ends it. */
    call: <Answer>(call: Call, hear: (reply: Reply, ends: Ends<Answer>) => void) =>
      new Promise<Answer>((resolve, reject) => {
        worker ??= open()
        lastId += 1
        const id = lastId
        const ends: Ends<Answer> = {
          resolve: (answer) => {
            waiting.delete(id)
            resolve(answer)
          },
          reject: (error) => {
            waiting.delete(id)
            reject(error)
          },
        }
        waiting.set(id, {hear: (reply) => hear(reply, ends), reject})
        worker.postMessage({id, call})
      }),
  }
}
