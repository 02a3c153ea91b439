import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/** A TCP proxy to a server; its connections can be cut and allowed again. */
export async function line(to: string) {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          near.destroy()
          far.destroy()
        })
    }
    near.pipe(far).pipe(near)
  })
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => void (isCut = false),
    close: () => {
      cut()
      server.close()
    },
  }
}
