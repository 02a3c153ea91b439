import { Categories } from '../features/channels/Categories'
import { PopularChannels } from '../features/channels/PopularChannels'
import { Join } from '../features/waitlist/Join'
import { Footer } from '../features/welcome/Footer'
import { Publishing } from '../features/welcome/Publishing'

/** The first screen's lower part, which nobody sees at first: it comes after the upper. */
export default function Below() {
  return (
    <>
      <Categories />
      <PopularChannels />
      <Join />
      <Publishing />
      <Footer />
    </>
  )
}
