import {connect} from 'node:net'

/** Every connection shares the buffer: its bytes are read before the next connection gets it. */
const buffer = Buffer.allocUnsafe(64 * 1024)
const delta = '"delta_answer":"'

/**
 * The reports about one answer. The words are times.
 * @typedef {{begun: (status: number) => void, heard: (sentAt: number) => void, counted: (bytes: number) => void,
 * failed: (error: Error) => void, ended: () => void}} Heard
 */

/**
 * Asks a question on a connection of its own and reads its answer, with as little work as there is in it: a thousand
 * readers share the machine with the node that they measure. The body is in chunks of whole frames.
 * @param {string} url @param {{headers: Record<string, string>, body: string}} question @param {Heard} report
 */
export const askOnSocket = (url, {headers, body}, report) => {
  const {hostname, port, pathname, host} = new URL(url)
  let rest = ''
  let hasBegun = false

  /** @param {string} text */
  const readWords = (text) => {
    for (let at = text.indexOf(delta); at >= 0;) {
      const start = at + delta.length
      const end = text.indexOf('"', start)
      for (const word of text.slice(start, end).split(' ')) if (word !== '') report.heard(Number(word))
      at = text.indexOf(delta, end)
    }
  }
  const readHead = () => {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return
    hasBegun = true
    report.begun(Number(rest.slice('HTTP/1.1 '.length).slice(0, 3)))
    rest = rest.slice(end + 4)
  }
  const read = (/** @type {string} */ text) => {
    rest += text
    if (!hasBegun) readHead()
    if (!hasBegun) return
    for (let start = 0; ;) {
      const line = rest.indexOf('\r\n', start)
      const size = line < 0 ? Number.NaN : Number.parseInt(rest.slice(start, line), 16)
      const end = line + 2 + size
      if (size === 0) socket.destroy()
      if (!(size > 0 && end + 2 <= rest.length)) {
        rest = rest.slice(start)
        return
      }
      report.counted(size)
      readWords(rest.slice(line + 2, end))
      start = end + 2
    }
  }

  const socket = connect({
    host: hostname,
    port: Number(port),
    onread: {
      buffer,
      callback: (bytes) => {
        read(buffer.toString('latin1', 0, bytes))
        return true
      },
    },
  })
  // once it has begun the node may be ended while it answers
  socket.on('error', (error) => {
    if (!hasBegun) report.failed(error)
  })
  socket.on('close', report.ended)
  socket.resume()
  const head = Object.entries({host, 'content-length': String(Buffer.byteLength(body)), ...headers})
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`POST ${pathname} HTTP/1.1\r\n${lines}\r\n${body}`)
}
