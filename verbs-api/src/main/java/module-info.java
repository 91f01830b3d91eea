import io.roceverbs.verbs.VerbsProvider;

/**
 * RDMA verbs for Java programs: objects, work requests, completions, and the door for providers.
 *
 * <p>The module holds no device. A provider module ({@code provides VerbsProvider with ...}) brings
 * one, and {@link io.roceverbs.verbs.Device#list()} finds it.
 */
module io.roceverbs.verbs {
  requires static org.jspecify;

  exports io.roceverbs.verbs;

  uses VerbsProvider;
}
