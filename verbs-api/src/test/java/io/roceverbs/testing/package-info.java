/**
 * Test code that all modules share: the dump of a module's public API.
 *
 * <p>A package of its own name, so that tests of a module other than this one can load it from the
 * class path: the packages of a named module are closed to it.
 */
@NullMarked
package io.roceverbs.testing;

import org.jspecify.annotations.NullMarked;
