const names = 'Ana Rui Joana Tiago Marta Pedro Sofia Nuno Rita Hugo Clara Jorge Teresa Miguel Lara Duarte'.split(' ')
const surnames =
  'Martins Costa Silva Ferreira Rocha Almeida Moreira Pinto Tavares Nunes Lopes Matos Ribeiro Campos Vieira Amaral'
    .toLowerCase()
    .split(' ')

export type Person = { name: string; email: string }

/** Returns a person for each number from 0, as they may be seen in pictures. The full name is in the address. */
export function personOf(number: number): Person {
  const name = names[number % names.length]!
  const family: string[] = []
  for (let rest = Math.floor(number / names.length); rest >= 0; rest = Math.floor(rest / surnames.length) - 1) {
    family.push(surnames[rest % surnames.length]!)
  }
  return { name, email: `${[name.toLowerCase(), ...family].join('.')}@example.com` }
}
