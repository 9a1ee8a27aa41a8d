import {defer, filter, fromEvent, map, merge, startWith, Subject, type Observable} from 'rxjs'
import type {Log} from '#domain/log.ts'
import {
  changedSlices,
  formatState,
  joinNews,
  parseState,
  quarantine,
  stateKey,
  version,
  type StoredSlices,
  type StoredState,
} from './stored-state.ts'

/** Rules for the stored data (`#domain/persisted-state.ts`). */
export type StateRules<TState extends object> = {
  /** Keeps valid slices and names the others. Never throws. */
  validate(storedSlices: StoredSlices): {state: TState; broken: readonly string[]}
  /** Cuts the state to its limits: the newest conversations and tasks, 2 MB. */
  bound(state: TState): TState
  /** The state without its oldest part, for a full store; `undefined` if nothing can go. */
  shrink(state: TState): TState | undefined
  /** Parts that a newer version stored and this version must not lose. */
  foreign(storedSlices: StoredSlices, state: TState): StoredSlices
  /** Slices that do not belong to a user and survive signing out. */
  isOfBrowser(slice: string): boolean
}

export type StateStorageOptions<TState extends object> = {
  /** `undefined` if the browser forbids it: then the state lives as long as the page (security R58). */
  storage: Storage | undefined
  view: Window
  rules: StateRules<TState>
  /** Unix milliseconds. */
  now: () => number
  log: Log
}

export type StateChange<TState extends object> = {
  /** Slices that another tab changed; `undefined` if removed. */
  state: Partial<TState>
  epoch: number
}

export type StateStorage<TState extends object> = {
  /** The valid stored slices. The others are set aside; reading never throws. */
  read(): TState
  /** Changes slices; `undefined` removes one. Written within 250 ms, and at once if the page is hidden. */
  save(changes: Partial<TState>): void
  /** Writes pending changes. `false`: another tab signed out meanwhile, and the changes are dropped. */
  flush(): boolean
  /** The epoch of this tab. */
  epoch(): number
  /** The epoch in the store: another tab may have signed out while this one slept. */
  storedEpoch(): number
  /** Adopts an epoch that another tab began. */
  adoptEpoch(epoch: number): void
  /** Signs out: removes every slice of the user at once and begins a new epoch. */
  endSession(): number
  /** Writes of other tabs. Cold. */
  changes$: Observable<StateChange<TState>>
  /** Whether state is lost on reload. */
  isVolatile(): boolean
  /** Emits whenever this becomes true, and on subscription if it is true already. Deserves a notice. */
  volatile$: Observable<void>
  close(): void
}

const slicesOf = (state: object): StoredSlices => Object.fromEntries(Object.entries(state))

/** Milliseconds from the first unsaved change to its write (security R57). */
const delay = 250

/** The browser's storage, or `undefined` if the access itself throws. */
export const openStorage = (name: 'localStorage' | 'sessionStorage', view: Window = window): Storage | undefined => {
  try {
    const storage = view[name]
    storage.getItem(stateKey)
    return storage
  } catch {
    return undefined
  }
}

/** The text in the browser's storage, and in memory what does not fit into it. Its faults never break the app. */
function openStateStore<TState extends object>({storage, rules, now, log}: StateStorageOptions<TState>) {
  let memory: StoredState = {slices: {}, epoch: 0}
  let isVolatile = storage === undefined
  const failures = new Subject<void>()
  /** The text last read and what it says: a page that starts reads the same one many times. */
  let lastText: string | undefined
  let lastState: StoredState | undefined

  /** Runs on the store; a store that throws counts as absent for this call. */
  const onStore = <T>(action: (store: Storage) => T): T | undefined => {
    if (storage === undefined) return undefined
    try {
      return action(storage)
    } catch (error) {
      log('Storage failed', {error: String(error)})
      return undefined
    }
  }

  const load = (): StoredState => {
    const text = onStore((store) => store.getItem(stateKey))
    // a store that was emptied under an open page, by the user or another program, is written again from memory
    if (text === undefined || text === null) return memory
    if (text !== lastText) {
      const before = lastState
      ;[lastText, lastState] = [text, parseState(text)]
      if (isVolatile && lastState !== undefined) memory = joinNews(memory, before, lastState)
    }
    if (isVolatile) return memory
    if (lastState !== undefined) {
      memory = lastState
      return lastState
    }
    log('The stored state could not be read and was put aside')
    onStore((store) => {
      store.removeItem(stateKey)
      quarantine(store, text, now())
    })
    return {slices: {}, epoch: memory.epoch}
  }

  const tryWrite = (state: StoredState) => {
    try {
      storage?.setItem(stateKey, formatState(state, now()))
      return storage !== undefined
    } catch {
      return false // full or forbidden: the caller shrinks the state
    }
  }

  /** The text to write. A newer version's parts stay unchanged, under its version. */
  const complete = (state: TState, before: StoredState, next: number): StoredState => {
    const {v} = before
    const slices = slicesOf(state)
    if (v === undefined || v <= version) return {slices, epoch: next}
    return {slices: {...slices, ...rules.foreign(next > before.epoch ? {} : before.slices, state)}, epoch: next, v}
  }

  /** Drops the oldest data until the rest fits. What does not fit stays in memory until the next write fits. */
  const write = (state: TState, epoch: number) => {
    let fittingState: TState | undefined = rules.bound(state)
    const before = load()
    memory = complete(fittingState, before, epoch)
    while (fittingState !== undefined) {
      if (tryWrite(complete(fittingState, before, epoch))) {
        isVolatile = false
        return
      }
      fittingState = storage === undefined ? undefined : rules.shrink(fittingState)
    }
    if (isVolatile) return
    isVolatile = true
    log('Nothing can be stored: changes last until the page is left')
    failures.next()
  }

  return {
    load,
    write,
    onStore,
    /** The state that was stored last, or would have been. */
    memory: () => memory,
    remember: (state: StoredState) => {
      memory = state
    },
    isVolatile: () => isVolatile,
    volatile$: defer(() => (isVolatile ? failures.pipe(startWith(undefined)) : failures)),
  }
}

/** Validates slices that were read once only once. */
function validateOnce<TState extends object>(rules: StateRules<TState>): StateRules<TState>['validate'] {
  const results = new WeakMap<StoredSlices, ReturnType<StateRules<TState>['validate']>>()
  return (slices) => {
    const result = results.get(slices) ?? rules.validate(slices)
    results.set(slices, result)
    return result
  }
}

/** The page is hidden or left: it may not come back. */
const pageHides = (view: Window): Observable<Event> =>
  merge(
    fromEvent(view, 'pagehide'),
    fromEvent(view.document, 'visibilitychange').pipe(filter(() => view.document.visibilityState === 'hidden')),
  )

const otherTabsChanges = <TState extends object>(
  {view, storage}: StateStorageOptions<TState>,
  stateOf: (slices: StoredSlices) => TState,
): Observable<StateChange<TState>> =>
  fromEvent<StorageEvent>(view, 'storage').pipe(
    filter(({key, storageArea}) => key === stateKey && (storageArea === null || storageArea === storage)),
    map(({oldValue, newValue}) => {
      const before = parseState(oldValue)?.slices ?? {}
      const after = parseState(newValue)
      const {written, removed} = changedSlices(before, after?.slices ?? {})
      // as: the removed slices are keys of the same state, without a value
      const state = {...stateOf(written), ...removed} as Partial<TState>
      return {state, epoch: after?.epoch ?? 0}
    }),
  )

/**
 * The state under the key `vuex` (spec §4, security R55–R58): validated slice by slice, merged with the writes of other
 * tabs, bounded. Its faults never break the app.
 */
export const createStateStorage = <TState extends object>(
  options: StateStorageOptions<TState>,
): StateStorage<TState> => {
  const {view, rules, now, log} = options
  const store = openStateStore(options)
  const {load, onStore} = store
  let pending: Partial<TState> = {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const validate = validateOnce(rules)
  const stateOf = (slices: StoredSlices) => validate(slices).state
  const ofBrowser = (slices: StoredSlices): StoredSlices =>
    Object.fromEntries(Object.entries(slices).filter(([slice]) => rules.isOfBrowser(slice)))
  let epoch = load().epoch

  const storedEpoch = () => Math.max(load().epoch, store.memory().epoch)

  /** The slices that may be read: if the store is older than a sign-out of another tab, the user's are ignored. */
  const readable = (): StoredSlices => {
    const current = load()
    return current.epoch < epoch ? ofBrowser(current.slices) : current.slices
  }

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const changes = pending
    pending = {}
    if (Object.keys(changes).length === 0) return true
    if (storedEpoch() > epoch) {
      log('Not saved: another tab signed out')
      return false
    }
    store.write({...stateOf(readable()), ...changes}, epoch)
    return true
  }

  const hiding = pageHides(view).subscribe(flush)

  return {
    read() {
      const slices = readable()
      const {state, broken} = validate(slices)
      if (broken.length > 0) {
        log('Parts of the stored state were put aside', {slices: broken.join(' ')})
        const text = JSON.stringify(Object.fromEntries(broken.map((name) => [name, slices[name]])))
        onStore((store) => quarantine(store, text, now()))
      }
      return state
    },
    save(changes) {
      pending = {...pending, ...changes}
      timer ??= setTimeout(flush, delay)
    },
    flush,
    epoch: () => epoch,
    storedEpoch,
    adoptEpoch(next) {
      if (next <= epoch) return
      epoch = next
      pending = {}
      store.remember({slices: ofBrowser(store.memory().slices), epoch})
    },
    endSession() {
      clearTimeout(timer)
      timer = undefined
      const unsavedSlices = slicesOf(pending)
      pending = {}
      epoch = Math.max(epoch, storedEpoch()) + 1
      store.write(stateOf(ofBrowser({...load().slices, ...unsavedSlices})), epoch)
      return epoch
    },
    changes$: otherTabsChanges(options, stateOf),
    isVolatile: store.isVolatile,
    volatile$: store.volatile$,
    close() {
      flush()
      hiding.unsubscribe()
    },
  }
}
