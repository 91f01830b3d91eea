/**
 * The catalogue of rules, read by the tests, and what is made of it: the ledger and the mutants.
 */
package io.roceverbs.sim.catalogue;
