import {execFileSync} from 'node:child_process'
import {chmodSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

/** An authority of one test, and a certificate of it for loopback, made by openssl. */
export function makeCertificates(folder: string) {
  const at = (name: string) => join(folder, name)
  const openssl = (...parameters: string[]) => execFileSync('openssl', parameters, {cwd: folder, stdio: 'pipe'})
  const key = ['-newkey', 'rsa:2048', '-nodes']
  writeFileSync(at('names.txt'), 'subjectAltName=IP:127.0.0.1\n')
  openssl('req', '-x509', ...key, '-days', '2', '-subj', '/CN=foo authority', '-keyout', 'ca.key', '-out', 'ca.pem')
  openssl('req', ...key, '-subj', '/CN=127.0.0.1', '-keyout', 'server.key', '-out', 'server.csr')
  const authority = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial']
  openssl(
    'x509',
    '-req',
    '-in',
    'server.csr',
    ...authority,
    '-days',
    '2',
    '-extfile',
    'names.txt',
    '-out',
    'server.pem',
  )
  for (const name of ['ca.pem', 'server.pem']) chmodSync(at(name), 0o644)
  return {authority: at('ca.pem'), certificate: at('server.pem'), key: at('server.key')}
}
