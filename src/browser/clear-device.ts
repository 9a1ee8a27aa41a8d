const deleteDatabase = (name: string) =>
  new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error ?? new Error(`"${name}" was not deleted`))
    // another tab works with it
    request.onblocked = () => reject(new Error(`"${name}" is in use`))
  })

/**
 * Removes what this browser keeps for this origin beside the session: kept builds, records, settings of the device.
 * Rejects when something stays.
 */
export async function clearDevice(): Promise<void> {
  const workers = await globalThis.navigator.serviceWorker?.getRegistrations()
  await Promise.all((workers ?? []).map((worker) => worker.unregister()))
  if ('caches' in globalThis) await Promise.all((await caches.keys()).map((name) => caches.delete(name)))
  // browsers that do not list them have the one that this app makes
  const databases = (await indexedDB.databases?.()) ?? [{name: 'atrium'}]
  await Promise.all(databases.flatMap(({name}) => (name === undefined ? [] : [deleteDatabase(name)])))
  for (const key of Object.keys(localStorage)) if (key.startsWith('atrium.')) localStorage.removeItem(key)
}
