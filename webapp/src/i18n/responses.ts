/** The texts about how the receiver of events responded. */
export const responses = {
  status: (status: number) => `respondeu ${status}`,
  unknown: 'sem resposta',
  /** By the server's text. */
  errors: {
    'it has no public address': 'não tem um endereço público',
    'it refuses connections': 'recusa ligações',
    'it cannot be reached': 'não se consegue chegar a ele',
    'it took too long to respond': 'demorou demasiado a responder',
    'the connection broke off, or the response was not HTTP': 'a ligação caiu, ou a resposta não era HTTP',
    'it responded with a redirect, which is not followed': 'respondeu com um redirecionamento, que não é seguido',
    'it responded with an invalid status': 'respondeu com um estado inválido',
    'its certificate has expired or is not valid yet': 'o certificado expirou ou ainda não é válido',
    'its certificate is for another name': 'o certificado é de outro nome',
    'its certificate is not from a known authority': 'o certificado não é de uma autoridade conhecida',
    'its certificate is not valid': 'o certificado não é válido',
    'the event could not be signed': 'não foi possível assinar o evento',
    'it did not respond with the signature of the challenge': 'não respondeu com a assinatura pedida',
  } as Record<string, string>,
} as const
