import type { cities as original } from '../cities'
import type { Translation } from '../translation'

/** Timezones whose city is known by another name than IANA's. */
export const cities = {
  Araguaina: 'Araguaína',
  Belem: 'Belém',
  Bogota: 'Bogotá',
  Calcutta: 'Kolkata',
  Cuiaba: 'Cuiabá',
  Eirunepe: 'Eirunepé',
  Kiev: 'Kyiv',
  Maceio: 'Maceió',
  Noronha: 'Fernando de Noronha',
  Santarem: 'Santarém',
  'Sao Paulo': 'São Paulo',
  'Sao Tome': 'São Tomé',
  Vatican: 'Vatican City',
} satisfies Translation<typeof original>
